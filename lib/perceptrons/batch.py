"""The lecture's batch rule for patterns that may not be separable.

Solves, or tries to: find w with as few mistakes as possible, J(w) = |{z_j : z_j · w ≤ 0}|, the lecture's (25).
The rule of slide 28 adds η_t times the sum of all wrong patterns and keeps the best weights seen. It is
deterministic: from one start it may stand still or walk in a circle for ever and never see an optimum.
One wrong pattern drawn at random instead of the sum reaches an optimum with probability 1 (`chains.hitting_time`).
"""

from dataclasses import dataclass, field

import numpy as np

from lib.compiled import add, compiled, dot, texts
from lib.numbers import in_one_system, positives, whole_number
from lib.patterns import as_patterns


@dataclass(frozen=True)
class Batch:
    """What the batch rule did.

    Attributes
    ----------
    w, mistakes : the best weights seen, the lecture's w*, shape (n,), and their mistakes, its E
    found : the step at which w was seen first, the lecture's t_lup
    path, wrong : w^(0), w^(1), …, shape (updates + 1, n), and |X⁻| at each of them, shape (updates + 1,)
    stop : "no mistake left"; "stalled": the wrong patterns add up to zero, so that w stays for ever, whatever the
        rates; "cycle": w was there before and the rate is constant; "out of updates"
    period : of the cycle; 1 for a stall, 0 if neither was seen
    """

    w: np.ndarray
    mistakes: int
    found: int
    path: np.ndarray = field(repr=False)
    wrong: np.ndarray = field(repr=False)
    stop: str
    period: int

    @property
    def updates(self):
        return len(self.path) - 1

    @property
    def converged(self):
        return self.mistakes == 0


@compiled
def step(patterns, w, rate):
    """Slide 28: add the sum of all wrong patterns, times the rate; their number, and whether they add up to zero."""
    wrong, total = 0, 0 * w
    for j in range(len(patterns)):
        if not dot(patterns[j], w) > 0:
            add(patterns[j], total, 1)
            wrong += 1
    add(total, w, rate)
    return wrong, not (total != 0).any()


@texts(step)
def batch(patterns, *, rate=1, max_updates=10_000):
    """Run the batch rule of slide 28 from w = 0, with t and t_lup counted, which the slide forgets; a `Batch`.

    Stops when no mistake is left, when a stall or (constant rate, exact numbers) a cycle proves that nothing new
    can come, or after `max_updates` steps. Guarantees: at a constant rate on exact patterns one of the first three
    comes in the end, because w stays bounded (notebook 22).

    Parameters
    ----------
    patterns : array_like, shape (p, n)
    rate : number or sequence of numbers
        A constant η, or the rates η_0, η_1, …, of which the last one stays.
    max_updates : int

    Examples
    --------
    >>> batch([[1, 3], [-1, -3]]).stop
    'stalled'
    """
    room = whole_number(max_updates, "max_updates")
    Z, rates = in_one_system(as_patterns(patterns), positives(rate, "rate"))
    Z, constant = np.ascontiguousarray(Z), Z.dtype == object and len(rates) == 1
    w, path, wrong, seen, stop, period = 0 * Z[0], [], [], {}, "out of updates", 0
    for t in range(room + 1):
        path.append(w.copy())
        count, still = step(Z, w, rates[min(t, len(rates) - 1)])
        wrong.append(count)
        if not count:
            stop = "no mistake left"
        elif constant and (first := seen.setdefault(tuple(path[t]), t)) < t:
            stop, period = "cycle", t - first
        elif still:
            stop, period = "stalled", 1
        if stop != "out of updates":
            break
    found = int(np.argmin(wrong))
    return Batch(path[found], int(wrong[found]), found, np.array(path), np.array(wrong), stop, period)
