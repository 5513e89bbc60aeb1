"""The plain Krauth–Mézard loop that every run must agree with, pick for pick, in Python's own numbers."""


def krauth_mezard(Z, levels, w0=None, max_updates=100_000):
    """The first of the lowest scores, each added up column by column; sums x·w. Returns sums, picks, stops."""
    rows = Z.tolist()
    x = max(dot(z, z) for z in rows)
    W = [x * v for v in (w0 if w0 is not None else [0] * len(rows[0]))]
    picks, stops = [], []
    while True:
        scores = [dot(z, W) for z in rows]
        j = min(range(len(rows)), key=scores.__getitem__)
        stops += [len(picks) for c in levels[len(stops) :] if scores[j] >= c * x]
        if len(stops) == len(levels) or len(picks) == max_updates:
            return W, picks, stops + [-1] * (len(levels) - len(stops))
        W = [a + b for a, b in zip(W, rows[j], strict=True)]
        picks.append(j)


def dot(a, b):
    total = a[0] * b[0]
    for u, v in zip(a[1:], b[1:], strict=True):
        total = total + u * v
    return total
