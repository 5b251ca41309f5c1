"""The lab: simulation, and studies of what has no short formula.

numpy and Numba live here and nowhere else; `pip install cutcard[lab]` brings them.
"""

from cutcard.lab.batch import Batch, odds_of_many
from cutcard.lab.counting import Counting, CutCard, counting, cut_card_effect
from cutcard.lab.results import Distribution, PerHour, distribution, per_hour
from cutcard.lab.ruin import Limits, Ruin, ruin
from cutcard.lab.simulation import Simulation, simulate
from cutcard.lab.work import cluster

__all__ = [
    "Batch",
    "Counting",
    "CutCard",
    "Distribution",
    "Limits",
    "PerHour",
    "Ruin",
    "Simulation",
    "cluster",
    "counting",
    "cut_card_effect",
    "distribution",
    "odds_of_many",
    "per_hour",
    "ruin",
    "simulate",
]
