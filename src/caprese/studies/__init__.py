"""Experiments of the paper and further ones, one file each, listed in STUDIES."""

from caprese.studies.base import Study
from caprese.studies.beyond import Beyond
from caprese.studies.convergence import Convergence
from caprese.studies.dag import Dag
from caprese.studies.dag_methods import DagMethods
from caprese.studies.example import Example
from caprese.studies.hcbn import HiddenNetworks
from caprese.studies.noise_free import NoiseFree
from caprese.studies.noisy import Noisy
from caprese.studies.shrinkages import Shrinkages
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
