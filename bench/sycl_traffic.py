#!/usr/bin/env python3
"""An estimate of the memory traffic of a humanoid's step on a GPU, and of the steps per second that it allows.

Usage: bench/sycl_traffic.py PROGRAM      (bench_sycl_traffic; needs valgrind)

One step on the CPU is traced. With Data in an array of structures each access of a warp asks the cache for 32 sectors of 32 bytes, one for
each work item; with Data in private memory the same word of 32 work items lies side by side in 4 sectors. What then moves between caches
and memory is found by an ideal cache of the size that one work item has of the GPU's (least recently used out first, written back when it
leaves), whose unit is a sector of a work item's own, or a word. Arithmetic, instruction fetches, constants, waiting and lanes that differ are
left out, and a GPU's compiler keeps more in registers: bounds from memory alone, not measurements.
"""
import collections
import os
import subprocess
import sys
import tempfile

# name, multiprocessors, clock, cache of level 1 and 2 (bytes), memory (bytes/s)
DEVICES = [
    ("A100 80 GB", 108, 1.41e9, 192 << 10, 40 << 20, 2.04e12),
    ("H100 SXM", 132, 1.83e9, 256 << 10, 50 << 20, 3.35e12),
    ("RTX 4090", 128, 2.52e9, 128 << 10, 72 << 20, 1.01e12),
    ("RTX 6000 Ada", 142, 2.50e9, 128 << 10, 96 << 20, 0.96e12),
]
SECTOR, PER_CLOCK = 32, 4  # bytes; sectors that a multiprocessor's cache gives in a clock
RESIDENT = 512  # work items on a multiprocessor at 128 registers each


def traced_accesses(program):
    """(first word, last word, written) for each access to Data in one step."""
    with tempfile.TemporaryDirectory() as work:
        state = os.path.join(work, "state")
        subprocess.run([program, "trace", state], check=True)
        log = os.path.join(work, "log")
        command = ["valgrind", "--tool=lackey", "--trace-mem=yes", "--log-file=" + log, program, "trace", state]
        begin, size, marker = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[:3]
        begin, size, marker = int(begin, 16), int(size), int(marker, 16)
        accesses, inside = [], False
        with open(log) as lines:
            for line in lines:
                kind = line[1:2]
                if line[:1] != " " or kind not in "LSM":
                    continue
                address, count = line[3:].split(",")
                address, count = int(address, 16), int(count)
                if address == marker and kind == "S":
                    inside = not inside
                if inside and begin <= address < begin + size:
                    accesses.append(((address - begin) // 4, (address - begin + count - 1) // 4, kind != "L"))
        return accesses, size


def moved(accesses, words, capacity):
    """Units of `words` words that move between a cache of `capacity` units and the memory behind it."""
    cache, count = collections.OrderedDict(), 0
    for first, last, written in accesses:
        for unit in range(first // words, last // words + 1):
            if unit in cache:
                cache.move_to_end(unit)
            else:
                count += 1
                if len(cache) >= capacity:
                    count += cache.popitem(last=False)[1]
                cache[unit] = False
            cache[unit] = cache[unit] or written
    return count + sum(cache.values())


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    accesses, size = traced_accesses(sys.argv[1])
    words = {w for first, last, _ in accesses for w in range(first, last + 1)}
    asked = [sum(last // unit - first // unit + 1 for first, last, _ in accesses) for unit in (8, 1)]
    print(f"Data {size} bytes, {len(accesses)} accesses in a step to {4 * len(words)} bytes of it")
    print(f"sectors that a warp asks for in a step: structures {32 * asked[0]}, private {4 * asked[1]}")
    print(f"{'':14}{'sectors a warp moves in a step':^36}{'million steps/s at most':^28}")
    print(f"{'':14}{'structures':>12}{'private':>12}{'ratio':>12}{'structures':>14}{'private':>14}")
    for name, processors, clock, level1, level2, bandwidth in DEVICES:
        share = (level1 + level2 / processors) / RESIDENT
        sectors = [32 * moved(accesses, 8, max(1, int(share / 32))), 4 * moved(accesses, 1, max(1, int(share / 4)))]
        rates = []
        for count, moves in zip((32 * asked[0], 4 * asked[1]), sectors):
            seconds = max(moves * SECTOR / bandwidth, count / (PER_CLOCK * clock * processors))
            rates.append(32 / seconds / 1e6)
        print(f"{name:14}{sectors[0]:12}{sectors[1]:12}{sectors[0] / sectors[1]:12.1f}{rates[0]:14.1f}{rates[1]:14.1f}")
    print("for comparison: mujoco_warp publishes 4.7 million steps/s of its humanoid, measured on an RTX 6000 Ada")


main()
