# Sourced by run and test: the Debian packages that motes needs, and install_missing, which asks apt
# for those that are absent and for nothing else.

packages_build="build-essential cmake ninja-build pkg-config portaudio19-dev libkissfft-dev
    libglfw3-dev python3-glad liblo-dev libjansson-dev libcglm-dev libpng-dev libsndfile1-dev
    libegl-dev libgl-dev libpulse-dev libstb-dev fonts-dejavu-core libxss-dev libx11-dev"
packages_run="ffmpeg libgl1-mesa-dri libegl1 libasound2-plugins"
packages_test="libcmocka-dev libebur128-dev xvfb xdotool x11-xserver-utils pulseaudio-utils liblo-tools
    sonic-pi-samples glslang-tools"

installed() {
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# A machine whose sound server is PipeWire keeps it: its Pulse service serves the tests.
sound_server() {
    if installed pipewire-pulse || installed pipewire-alsa; then
        echo pipewire-pulse wireplumber dbus-daemon
    else
        echo pulseaudio
    fi
}

install_missing() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        echo "motes: no apt on this machine; the build names what is missing" >&2
        return 0
    fi
    missing=
    for package in "$@"; do
        installed "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "motes: missing packages and no sudo; as root: apt-get install$missing" >&2
            exit 2
        fi
        as_root=sudo
    fi
    echo "motes: installing$missing"
    $as_root apt-get update -q </dev/null ||
        echo "motes: apt-get update failed; trying with the lists that are here" >&2
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-remove \
        --no-install-recommends $missing </dev/null
}
