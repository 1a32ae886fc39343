"""Steps of 1024 cheetahs on one core from Python and from C++, in turns: python3 python.py BENCH_PYTHON [RUNS]

BENCH_PYTHON is the program made of bench/python.cpp; the module bench_cheetah is beside it. Both were compiled with the same flags, reset
the batch, write new controls before every step, or before every five, and step. The fastest of so many runs each counts.
"""
import os
import subprocess
import sys
import time

import numpy as np

ENVIRONMENTS, STEPS = 1024, 200


def speed(batch, controls, held):
    """Millions of steps per second from rest."""
    batch.reset()
    batch.step(100)
    start = time.perf_counter()
    for t in range(0, STEPS, held):
        batch.ctrl = controls[t]
        batch.step(held)
    return ENVIRONMENTS * STEPS / (time.perf_counter() - start) * 1e-6


def main(program, runs):
    sys.path.insert(0, os.path.dirname(os.path.abspath(program)))
    import bench_cheetah

    batch = bench_cheetah.Batch(ENVIRONMENTS, 1)
    random, numbers = 1, np.empty(STEPS * 6 * ENVIRONMENTS, dtype=np.float32)
    for i in range(numbers.size):  # those of python.cpp
        random = (random * 1664525 + 1013904223) % 2**32
        numbers[i] = (random >> 8) / 2**23 - 1
    controls = numbers.reshape(STEPS, 6, ENVIRONMENTS).transpose(0, 2, 1)
    best = {"Python": [0, 0], "C++": [0, 0]}
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        for _ in range(runs):
            other.stdin.write("run\n")
            other.stdin.flush()
            found = {"C++": [float(x) for x in other.stdout.readline().split()]}
            found["Python"] = [speed(batch, controls, held) for held in (1, 5)]
            for name in best:
                best[name] = [max(pair) for pair in zip(best[name], found[name])]
        other.stdin.close()
    print(f"million steps per second of {ENVIRONMENTS} cheetahs on one core, fastest of {runs} runs in turn")
    for name, (every, fifth) in best.items():
        print(f"{name:8s} new controls before every step {every:6.2f}, before every five {fifth:6.2f}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 6)
