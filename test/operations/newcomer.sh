# What stands around the pages of the operators on a machine that is none: names, a user who may use sudo, and the two
# things of systemd that they ask for. Run by newcomer.ts as root, in a root of its own.
set -e
(apt-get update -qq && apt-get install -y -qq --no-install-recommends sudo caddy curl ca-certificates) >/tmp/apt.log 2>&1 ||
  { tail -5 /tmp/apt.log; exit 1; }
echo "127.0.0.1 localhost $(hostname) rewards.example.com smtp.example.com" >/etc/hosts
useradd --create-home --shell /bin/bash ana
echo 'ana ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/ana
install -d -o ana -m 700 /home/ana/downloads
mv /given/*.deb /given/SHA256SUMS /home/ana/downloads

cat >/usr/local/bin/systemctl <<'SHIM'
#!/bin/bash
# Starts what the unit says under its user, without the unit's walls.
for unit; do :; done
pid=/run/$unit.pid
start() { (setsid "$@" </dev/null >>"/var/log/$unit.log" 2>&1 & echo $! >"$pid"); }
case "$*" in
"enable --now rewards" | "start rewards")
  cd /var/lib/rewards
  start setpriv --reuid=rewards --regid=rewards --init-groups --reset-env --no-new-privs bash -c \
    "umask 077; exec $(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/rewards.service)" ;;
"stop rewards")
  kill "$(cat "$pid")"
  while kill -0 "$(cat "$pid")" 2>/dev/null; do sleep 0.1; done ;;
"reload caddy") # a certificate of its own authority, which is trusted below: there is no network
  sed -i '1i {\n\tlocal_certs\n\tskip_install_trust\n}' /etc/caddy/Caddyfile
  HOME=/var/lib/caddy start caddy run --config /etc/caddy/Caddyfile
  root=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
  while [ ! -e $root ]; do sleep 0.2; done
  sleep 1
  install -m 644 $root /usr/local/share/ca-certificates/caddy.crt
  update-ca-certificates >/dev/null 2>&1 ;;
*) echo "systemctl $* is not known here" >&2; exit 1 ;;
esac
SHIM
cat >/usr/local/bin/journalctl <<'SHIM'
#!/bin/bash
tail -n 1 /var/log/rewards.log
SHIM
chmod 755 /usr/local/bin/systemctl /usr/local/bin/journalctl
