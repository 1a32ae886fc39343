# Shared by tests/run.sh, examples/quickstart.sh and examples/view.sh: finds or installs what mjx needs, then configures the build directory.
# Sourced from the repository's top directory. Environment: MJX_BUILD_DIR (default build), MJX_JOBS (default 2), CXX.

MJX_BUILD_DIR=${MJX_BUILD_DIR:-build}
MJX_JOBS=${MJX_JOBS:-2}
MJX_PACKAGES=()

say() { printf '== %s\n' "$*"; }

# need_command PACKAGE COMMAND, need_header PACKAGE HEADER: remember the package if what it brings is not there.
need_command() { command -v "$2" >/dev/null 2>&1 || MJX_PACKAGES+=("$1"); }
need_header() { has_header "$2" || MJX_PACKAGES+=("$1"); }
has_header() { printf '#if !__has_include(<%s>)\n#error missing\n#endif\n' "$1" | "${CXX:-g++}" -E -x c++ - >/dev/null 2>&1; }

find_missing() {
    MJX_PACKAGES=()
    need_command cmake cmake
    need_command ninja-build ninja
    need_command ccache ccache
    need_command g++ "${CXX:-g++}"
    need_header libboost-dev boost/hana/tuple.hpp
    need_header libxsimd-dev xsimd/xsimd.hpp
    need_header libxtensor-dev xtensor/xarray.hpp
    need_header libqhull-dev libqhull_r/libqhull_r.h
    need_header libpng-dev png.h
    need_header zlib1g-dev zlib.h
    need_header libassimp-dev assimp/cimport.h
    has_header catch2/catch_all.hpp || need_header catch2 catch2/catch.hpp
}

install_missing() {
    find_missing
    if [ ${#MJX_PACKAGES[@]} -eq 0 ]; then
        say "everything mjx needs is installed"
        return
    fi
    local root=()
    if [ "$(id -u)" -ne 0 ]; then root=(sudo); fi
    if ! command -v apt-get >/dev/null 2>&1 || { [ ${#root[@]} -gt 0 ] && ! command -v sudo >/dev/null 2>&1; }; then
        say "missing, and cannot be installed from here (no apt-get, or neither root nor sudo):"
        printf '   %s\n' "${MJX_PACKAGES[@]}"
        say "ask an administrator for: apt-get install ${MJX_PACKAGES[*]}   (names of Debian packages)"
        exit 1
    fi
    say "installing Debian packages: ${MJX_PACKAGES[*]}"
    "${root[@]}" apt-get update -q || say "the package lists could not be refreshed; trying with those at hand"
    if ! "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${MJX_PACKAGES[@]}"; then
        say "could not install; please run: apt-get install ${MJX_PACKAGES[*]}   (as root), then start again"
        exit 1
    fi
    find_missing
    if [ ${#MJX_PACKAGES[@]} -gt 0 ]; then
        say "installed, but the compiler still does not find: ${MJX_PACKAGES[*]}"
        exit 1
    fi
}

configure() {
    local generator=()
    if [ ! -f "$MJX_BUILD_DIR/CMakeCache.txt" ]; then generator=(-G Ninja); fi
    say "configuring into $MJX_BUILD_DIR"
    cmake -S . -B "$MJX_BUILD_DIR" "${generator[@]}" "$@"
}

# three.js, which draws the viewer's pictures, into the build directory: from npm where there is one, else Debian's package. Call
# after configure.
install_three() {
    [ -d "$MJX_BUILD_DIR/three/node_modules/three" ] && return
    if command -v npm >/dev/null 2>&1; then
        say "installing three.js from npm"
        npm install --silent --no-audit --no-fund --prefix "$MJX_BUILD_DIR/three" three && return
        say "npm could not bring it"
    fi
    [ -e /usr/share/javascript/three/three.module.js ] && return
    local root=()
    if [ "$(id -u)" -ne 0 ]; then root=(sudo); fi
    say "installing Debian's libjs-three"
    "${root[@]}" apt-get install -qy --no-install-recommends libjs-three || say "three.js is missing: npm install --prefix $MJX_BUILD_DIR/three three"
}

# What only some tests need, and only CI machines (CI=true) get unasked: a browser for the viewer (or MJX_BROWSER_TEST=1), which is large,
# Python's headers for the modules (MJX_PYTHON_TEST=1), MPI (MJX_MPI_TEST=1), clang-format 16 for the layout of the sources. Without them those
# tests say that they are left out.
install_optional() {
    local root=() packages=()
    if [ "${CI:-}" = true ] || [ "${MJX_BROWSER_TEST:-}" = 1 ]; then
        command -v chromium >/dev/null 2>&1 || packages+=(chromium)
        command -v node >/dev/null 2>&1 || packages+=(nodejs npm)
    fi
    if [ "${CI:-}" = true ] || [ "${MJX_PYTHON_TEST:-}" = 1 ]; then
        [ -e /usr/include/pybind11/pybind11.h ] || packages+=(pybind11-dev)
        ls /usr/include/python3*/Python.h >/dev/null 2>&1 || packages+=(python3-dev)
        /usr/bin/python3 -c 'import numpy' >/dev/null 2>&1 || packages+=(python3-numpy)
    fi
    if [ "${CI:-}" = true ] || [ "${MJX_MPI_TEST:-}" = 1 ]; then
        command -v mpirun >/dev/null 2>&1 || packages+=(openmpi-bin)
        command -v mpicxx >/dev/null 2>&1 || packages+=(libopenmpi-dev)
    fi
    if [ "${CI:-}" = true ]; then
        command -v clang-format-16 >/dev/null 2>&1 || packages+=(clang-format-16)
    fi
    [ ${#packages[@]} -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ]; then root=(sudo); fi
    say "installing Debian packages for further tests: ${packages[*]}"
    "${root[@]}" apt-get update -q || true
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${packages[@]}" ||
        say "could not install them: tests that need them are left out"
}
