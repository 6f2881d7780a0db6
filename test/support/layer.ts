/**
 * A shell script that runs `inside` as root on a throw-away overlay of this machine's disk, so that no change is kept.
 * Run it in its own mount namespace (`unshare --mount`). It copies its first argument, a file or folder, to /given in
 * the overlay; `$layer/root` is the root of the overlay.
 */
export const onALayer = (inside: string): string => `
layer=$(mktemp -d)
mount -t tmpfs none "$layer"
trap 'umount --lazy "$layer"; rmdir "$layer"' EXIT
mkdir "$layer/upper" "$layer/work" "$layer/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$layer/upper,workdir=$layer/work" "$layer/root"
mount --rbind /dev "$layer/root/dev"
mount -t proc proc "$layer/root/proc"
mount -t tmpfs none "$layer/root/run" # otherwise programs would find this machine's services
cp -r "$1" "$layer/root/given"
${inside}
`
