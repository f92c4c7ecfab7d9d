"""How a progression is inferred: methods, one file each, all listed in METHODS."""

from caprese.methods.bayes import BayesForest
from caprese.methods.caprese import Caprese
from caprese.methods.capri import Capri
from caprese.methods.cbn import CBN
from caprese.methods.fit import Method as Method
from caprese.methods.hcbn import HCBN
from caprese.methods.independence import IndependentEvents
from caprese.methods.likelihood import LikelihoodForest
from caprese.methods.mhn import MHN
from caprese.methods.oncotree import Oncotree
from caprese.methods.registry import METHODS as METHODS
from caprese.methods.registry import describe as describe
from caprese.methods.registry import make_method as make_method
from caprese.methods.registry import method_named as method_named
from caprese.methods.registry import method_text as method_text
from caprese.methods.registry import name_of as name_of
from caprese.methods.registry import parse_method as parse_method
from caprese.methods.registry import register_method as register_method
from caprese.methods.registry import split_method as split_method
from caprese.methods.stack import Stack
from caprese.methods.timed import TimedForests

METHODS.update(
    {
        "caprese": Caprese,
        "oncotree": Oncotree,
        "likelihood": LikelihoodForest,
        "bayes": BayesForest,
        "capri": Capri,
        "hcbn": HCBN,
        "cbn": CBN,
        "mhn": MHN,
        "timed": TimedForests,
        "stack": Stack,
        "independence": IndependentEvents,
    }
)
