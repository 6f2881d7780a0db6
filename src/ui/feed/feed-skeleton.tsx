import { Skeleton } from "../parts/skeleton.tsx"

/** The shape of a first page. */
export function FeedSkeleton() {
  return (
    <div class="mt-4">
      <Skeleton class="my-0.5 h-4 w-16" />
      {["w-3/5", "w-4/5", "w-2/5", "w-3/5"].map((width, index) => (
        <div key={index} class="grid grid-cols-[auto_1fr_auto] gap-x-3.5 py-4">
          <Skeleton class="size-10 rounded-full" />
          <div class="grid min-w-0 content-start gap-2.5 pt-1">
            <Skeleton class="h-4 w-48 max-w-full" />
            <Skeleton class={`h-4 ${width}`} />
          </div>
          <Skeleton class="mt-1 h-4 w-8" />
        </div>
      ))}
    </div>
  )
}
