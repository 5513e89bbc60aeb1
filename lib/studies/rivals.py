"""Who is better, and who is faster: the decisions of Table 1's protocol, from the results in data/table1.

Every function reads the summary of one data set, as tools/table1 collects it from the runs. The rules were fixed before
the runs: data/table1/PROTOCOL.md.
"""

import json

import numpy as np

from lib.files import DATA
from lib.studies.table1 import multiplications

PUBLISHED = {
    "forest": {"simple": 8.5, "standard": 11.1, "svm": 10.5},
    "connect4": {"simple": 10.3, "standard": 11.4, "svm": 11.4},
}
"""Test errors in percent."""
FACTORS = {"forest": {"standard": 3.1, "svm": 134.2}, "connect4": {"standard": 3.0, "svm": 54.7}}
"""Training times as multiples of the Simple MLP's."""
COMPARISONS = 6
LEVEL = 0.01

TICK = 0.001
"""Seconds are kept to three digits; a training on a few rows may take none."""


def load(name):
    """The summary of a data set's long runs, or None if they are not there."""
    path = DATA / "table1" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def mcnemar(only_first, only_second):
    """The exact two-sided p: of the examples that one of two alone has wrong, each is as likely to have it."""
    from scipy.stats import binomtest

    count = only_first + only_second
    return float(binomtest(only_first, count).pvalue) if count else 1.0


def decision(pairs):
    """How the first does in pairs of counts (it alone is wrong, the rival alone is wrong), and the corrected p.

    "better" or "worse" if McNemar's test shows it in every pair, at 99 % and corrected for six comparisons.
    """
    p = min(1.0, COMPARISONS * max(mcnemar(*pair) for pair in pairs))
    signs = {np.sign(rival - first) for first, rival in pairs}
    if p >= LEVEL or len(signs) > 1:
        return "as good", p
    return ("better" if signs == {1} else "worse"), p


def decisions(summary):
    """The comparisons on a data set's test sets: {(test set, rival): (decision, p)}; none while runs are missing."""
    if set(summary["lacking"]) - {"epochs"}:
        return {}
    return {
        (test, rival): decision(pairs)
        for test, rivals in summary["pairs"].items()
        for rival, pairs in rivals.items()
        if rival in ("standard", "svm")
    }


def errors(summary, method, test="test"):
    """Test errors in percent, one a seed."""
    wrong = [run[test] for run in summary["runs"][method]]
    return 100 * np.array(wrong) / summary["sizes"][test]


def over_seeds(values):
    """The mean, and half the 99 % interval of Student's t; of a single value, 0."""
    from scipy.stats import t

    values = np.asarray(values, float)
    if len(values) < 2:
        return float(values.mean()), 0.0
    half = t.ppf(1 - LEVEL / 2, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean()), float(half)


def binomial_deviation(percent, count):
    """The standard deviation of an error in percent, counted on so many examples."""
    return float(np.sqrt(percent * (100 - percent) / count))


def reproduced(summary, method, test="test", *, shift=0.0):
    """True if the published error is within 99 % of ours: the chance of both test sets and the seeds together.

    The published one is a single network, so that the whole deviation over seeds counts, not the mean's. `shift` moves
    it, for a control.
    """
    from scipy.stats import norm

    ours, count = errors(summary, method, test), summary["sizes"]["test"]
    said = PUBLISHED[summary["dataset"]][method] + shift
    spread = ours.std(ddof=1) * np.sqrt(1 + 1 / len(ours)) if len(ours) > 1 else 0.0
    parts = (binomial_deviation(said, count), binomial_deviation(ours.mean(), summary["sizes"][test]), spread)
    return bool(abs(ours.mean() - said) <= norm.ppf(1 - LEVEL / 2) * np.hypot.reduce(parts))


def difference(summary, rival, test="test"):
    """The rival's mean error less the Simple MLP's, in percent, and half its 99 % interval, of examples and seeds."""
    from scipy.stats import norm, t

    ours, theirs = (errors(summary, method, test) for method in ("simple", rival))
    examples = (
        norm.ppf(1 - LEVEL / 2) * 100 * summary["paired_deviation"][test][rival] / np.sqrt(summary["sizes"][test])
    )
    seeds = [v.std(ddof=1) / np.sqrt(len(v)) for v in (ours, theirs) if len(v) > 1]
    least = min((len(v) for v in (ours, theirs) if len(v) > 1), default=2)
    chance = t.ppf(1 - LEVEL / 2, least - 1) * np.hypot.reduce([*seeds, 0.0])
    return float(theirs.mean() - ours.mean()), float(np.hypot(examples, chance))


def seconds(summary, method):
    """CPU seconds of training with the setting chosen, one a seed."""
    return np.array([run["seconds"] for run in summary["runs"][method]])


def factor(summary, rival, cost=seconds):
    """How many times the Simple MLP's cost the rival has, and the ends of the 99 % interval over seeds.

    Student's t on the logarithms, of both networks' seeds; of a single run of the rival, on ours alone.
    """
    from scipy.stats import t

    ours, theirs = (np.log(np.maximum(cost(summary, method), TICK)) for method in ("simple", rival))
    several = [v for v in (ours, theirs) if len(v) > 1]
    half = t.ppf(1 - LEVEL / 2, min(map(len, several)) - 1) * np.sqrt(sum(v.var(ddof=1) / len(v) for v in several))
    middle = theirs.mean() - ours.mean()
    return tuple(float(np.exp(middle + shift)) for shift in (0, -half, half))


def multiplied(summary, method):
    """Multiplications of a training, one a seed."""
    return np.array([sum(multiplications(run, summary["features"])) for run in summary["runs"][method]], float)


def time_to(run, wrong):
    """CPU seconds until a network has so few errors on the validation set; infinite if it never has."""
    return next((tick for tick, errors in zip(run["clock"], run["errors"], strict=True) if errors <= wrong), np.inf)


def times_to_equal(summary, rival):
    """For each seed, seconds of both until each has the higher of their two final validation errors."""
    pairs = zip(summary["runs"]["simple"], summary["runs"][rival], strict=True)
    return [[time_to(run, max(a["validation"], b["validation"])) for run in (a, b)] for a, b in pairs]


def shares(run):
    """Of all corrections that units could get, the share that is made, by passes: examples times units are all."""
    return np.array(run["unit_updates"]) / (run["rows"] * run["setting"]["units"])


def growth(summary):
    """The exponent p and the factor c of the SVM's seconds c · rows^p, least squares on the scale of logarithms."""
    rows, spent = np.array([point[:2] for point in summary["growth"]], float).T
    rows, spent = np.log(rows), np.log(np.maximum(spent, TICK))
    power, shift = np.polyfit(rows, spent, 1)
    return float(power), float(np.exp(shift))


def rows_for(summary, wanted):
    """At how many rows the SVM takes so many times as long as the Simple MLP, whose time grows with the rows."""
    power, constant = growth(summary)
    each = seconds(summary, "simple").mean() / summary["sizes"]["train"]
    return float((wanted * each / constant) ** (1 / (power - 1)))
