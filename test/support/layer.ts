/**
 * A script of sh that runs another as root of this machine as it is, in which nothing that it does stays: in a mount
 * namespace of its own (`unshare --mount`), with a layer in memory over the whole disk. Its first argument is a file or
 * folder, which is /given there; `$layer/root` is the other's whole disk.
 */
export const onALayer = (inside: string): string => `
layer=$(mktemp -d)
mount -t tmpfs none "$layer"
trap 'umount --lazy "$layer"; rmdir "$layer"' EXIT
mkdir "$layer/upper" "$layer/work" "$layer/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$layer/upper,workdir=$layer/work" "$layer/root"
mount --rbind /dev "$layer/root/dev"
mount -t proc proc "$layer/root/proc"
mount -t tmpfs none "$layer/root/run" # or its programs would find this machine's services
cp -r "$1" "$layer/root/given"
${inside}
`
