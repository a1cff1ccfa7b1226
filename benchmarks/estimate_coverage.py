"""How often the intervals of `judge estimate` hold the truth, where a model is rarely wrong.

    python benchmarks/estimate_coverage.py [--draws 500]

Six worlds of scores and predictions, whose mean is known. Of each, many draws of n queries that
people label and N others: the share of 95 % intervals that hold the mean, and their mean width.
"""

from __future__ import annotations

import argparse

import numpy as np

from cranfield.stats.ppi import powered_mean

RANKS = [*[1.0] * 6, 1 / 2, 1 / 3, 1 / 4]
SIZES = ((20, 500), (50, 500), (100, 1000))
WAYS = (("true", "careful"), ("tuned", "student"), ("classical", "careful"), ("tuned", "careful"))


def world(kind: str, rng: np.random.Generator, m: int) -> tuple[np.ndarray, np.ndarray, float]:
    """(scores by people, by the model, the mean of the first)."""
    y = rng.choice(RANKS, m)
    if kind == "RR, a fifth taken for 1":
        return y, np.where(rng.random(m) < 0.2, 1.0, y), float(np.mean(RANKS))
    if kind == "RR, a tenth taken for 0":
        return y, np.where(rng.random(m) < 0.1, 0.0, y), float(np.mean(RANKS))
    if kind == "RR, no error":
        return y, y.copy(), float(np.mean(RANKS))
    if kind == "Success .92, half of the failures missed":
        y = (rng.random(m) < 0.92).astype(float)
        return y, np.where(rng.random(m) < 0.5, 1.0, y), 0.92
    if kind == "near 1, 6 % are 0, half of these missed":
        none = rng.random(m) < 0.06
        y = np.where(none, 0.0, 1 - 0.1 * rng.beta(1, 3, m))
        f = np.where(none & (rng.random(m) < 0.5), 0.97, y) + rng.normal(0, 0.01, m)
        return y, np.clip(f, 0, 1), 0.94 * 0.975
    y = rng.beta(0.8, 0.8, m)  # "even scores, noise"
    return y, np.clip(0.2 + 0.7 * y + rng.normal(0, 0.15, m), 0, 1), 0.5


KINDS = (
    "RR, a fifth taken for 1",
    "RR, a tenth taken for 0",
    "RR, no error",
    "Success .92, half of the failures missed",
    "near 1, 6 % are 0, half of these missed",
    "even scores, noise",
)


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--draws", type=int, default=500)
    draws = asked.parse_args().draws
    print("| world | n / N | people | tuned, plain t | classical | tuned |")
    print("|---|---|---|---|---|---|")
    for kind in KINDS:
        for n, others in SIZES:
            rng = np.random.default_rng(n)
            held, width = np.zeros(len(WAYS)), np.zeros(len(WAYS))
            for _ in range(draws):
                y, f, mean = world(kind, rng, n + others)
                for i, (way, interval) in enumerate(WAYS):
                    found = powered_mean(
                        y[:n], f[:n], f[n:], way, interval=interval, limits=(0, 1)
                    )  # fmt: skip
                    assert found.low is not None and found.high is not None
                    held[i] += found.low <= mean <= found.high
                    width[i] += found.high - found.low
            cells = [f"{h / draws:.3f} ({w / draws:.2f})" for h, w in zip(held, width, strict=True)]
            print(f"| {kind} | {n} / {others} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
