"""What a method or a model of another package needs.

Every name of this module is public and stays: one that must change is kept beside its successor for
at least one minor version, and the list of changes says so. Nothing else of the package, apart from
`caprese` itself, needs to be imported by an extension.

- A method is a frozen dataclass of keyword parameters, each declared with `option`, whose ``fit``
  returns `Fit.of` or `OrderedFit.of`. What else it can do it declares by the methods of a protocol,
  such as `CountsMethod`; nothing asks for its name.
- A model is a class with the methods of `Model`, and those of `OrderedModel` or `PlacingModel` if
  it has edges or says what comes next. `register_model` makes files, comparisons and placements
  know it.
- An installed package adds its methods by entry points of the group ``caprese.methods``;
  `register_method` does the same for a script.

The page "How to add a method" of the documentation shows all of it.
"""

from caprese._core.arrays import ArrayValue as ArrayValue
from caprese._core.arrays import BoolArray as BoolArray
from caprese._core.arrays import FloatArray as FloatArray
from caprese._core.arrays import IntArray as IntArray
from caprese._core.arrays import frozen as frozen
from caprese._core.facts import Fact as Fact
from caprese.data.counts import Counts as Counts
from caprese.data.scores import PairCounts as PairCounts
from caprese.data.scores import temporal_priority as temporal_priority
from caprese.errors import ParameterError as ParameterError
from caprese.errors import Remedy as Remedy
from caprese.fitting.estimate import ModelKind as ModelKind
from caprese.fitting.estimate import estimate as estimate
from caprese.fitting.estimate import frequencies as frequencies
from caprese.fitting.estimate import register_model as register_model
from caprese.fitting.estimated import Estimate as Estimate
from caprese.fitting.structure import best_parents as best_parents
from caprese.fitting.structure import forest_from_parents as forest_from_parents
from caprese.methods import register_method as register_method
from caprese.methods.evidence import Evidence as Evidence
from caprese.methods.evidence import OrderedEvidence as OrderedEvidence
from caprese.methods.evidence import PairEvidence as PairEvidence
from caprese.methods.evidence import PairScores as PairScores
from caprese.methods.evidence import PosteriorEvidence as PosteriorEvidence
from caprese.methods.evidence import Reason as Reason
from caprese.methods.evidence import ReasonedEvidence as ReasonedEvidence
from caprese.methods.evidence import SubtypeEvidence as SubtypeEvidence
from caprese.methods.evidence import first_reason as first_reason
from caprese.methods.evidence import freeze_arrays as freeze_arrays
from caprese.methods.evidence import of_parents as of_parents
from caprese.methods.evidence import searched_reasons as searched_reasons
from caprese.methods.fit import Fit as Fit
from caprese.methods.fit import Method as Method
from caprese.methods.fit import OrderedFit as OrderedFit
from caprese.methods.parameters import ERROR_RATES as ERROR_RATES
from caprese.methods.parameters import POSITIVE as POSITIVE
from caprese.methods.parameters import SEED as SEED
from caprese.methods.parameters import YES_OR_NO as YES_OR_NO
from caprese.methods.parameters import ParameterKind as ParameterKind
from caprese.methods.parameters import check_parameters as check_parameters
from caprese.methods.parameters import number as number
from caprese.methods.parameters import one_word as one_word
from caprese.methods.parameters import option as option
from caprese.methods.parameters import or_auto as or_auto
from caprese.methods.parameters import whole_number as whole_number
from caprese.methods.protocols import ChoosingMethod as ChoosingMethod
from caprese.methods.protocols import CombiningMethod as CombiningMethod
from caprese.methods.protocols import CostedMethod as CostedMethod
from caprese.methods.protocols import CountingMethod as CountingMethod
from caprese.methods.protocols import CountsMethod as CountsMethod
from caprese.methods.protocols import GradualMethod as GradualMethod
from caprese.methods.protocols import LongMethod as LongMethod
from caprese.methods.protocols import NamingMethod as NamingMethod
from caprese.methods.protocols import OrderedLearning as OrderedLearning
from caprese.methods.protocols import RunningFit as RunningFit
from caprese.methods.protocols import ScoringMethod as ScoringMethod
from caprese.methods.protocols import SeededMethod as SeededMethod
from caprese.models.base import EffectsModel as EffectsModel
from caprese.models.base import Model as Model
from caprese.models.base import Order as Order
from caprese.models.base import OrderedModel as OrderedModel
from caprese.models.base import OrderingModel as OrderingModel
from caprese.models.base import ParentSets as ParentSets
from caprese.models.base import PlacingModel as PlacingModel
from caprese.models.base import as_in as as_in
from caprese.models.base import in_order_of as in_order_of
from caprese.models.base import observation_codes as observation_codes
from caprese.models.base import parent_sets as parent_sets
from caprese.models.base import waiting_rates as waiting_rates
from caprese.models.noisy import ListedModel as ListedModel
from caprese.models.noisy import Noisy as Noisy
from caprese.models.noisy import SeenWithoutErrors as SeenWithoutErrors
from caprese.models.states import Codes as Codes
from caprese.models.states import completions as completions
