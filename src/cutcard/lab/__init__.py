"""The lab: simulation, and studies of what has no short formula.

numpy and Numba live here and nowhere else; `pip install cutcard[lab]` brings them.
"""

from cutcard.lab.batch import Batch, odds_of_many
from cutcard.lab.simulation import Simulation, simulate
from cutcard.lab.work import cluster

__all__ = ["Batch", "Simulation", "cluster", "odds_of_many", "simulate"]
