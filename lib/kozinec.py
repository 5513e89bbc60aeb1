from lib.bounds import diameter_squared
from lib.bounds import kozinec_any as any_bound
from lib.bounds import kozinec_plain as plain_bound
from lib.bounds import kozinec_worst as worst_bound
from lib.hulls import kozinec, mdm
from lib.margin import bracket, enclosure
from lib.patterns import differences

__all__ = [
    "any_bound",
    "bracket",
    "diameter_squared",
    "differences",
    "enclosure",
    "kozinec",
    "mdm",
    "plain_bound",
    "worst_bound",
]
