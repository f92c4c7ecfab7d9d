"""Experiments of the paper and further ones, listed in STUDIES."""

from caprese.studies.base import Study
from caprese.studies.beyond import Beyond
from caprese.studies.dags import Dag, DagMethods
from caprese.studies.forests import (
    Convergence,
    Example,
    HiddenNetworks,
    NoiseFree,
    Noisy,
    Shrinkages,
)
from caprese.studies.unknown import Unknown

STUDIES: dict[str, type[Study]] = {
    "lambda": Shrinkages,
    "noise-free": NoiseFree,
    "noisy": Noisy,
    "example": Example,
    "dag": Dag,
    "dag-methods": DagMethods,
    "convergence": Convergence,
    "h-cbn": HiddenNetworks,
    "unknown": Unknown,
    "beyond": Beyond,
}
