"""What functions and methods of NumPy and readers of images give: float64, bytes, or what they are given."""

from __future__ import annotations

from memlint.analysis.knowledge.patterns import pattern

RANDOM_FUNCTIONS = frozenset(
    "rand randn random random_sample ranf sample uniform normal standard_normal beta gamma exponential "
    "laplace lognormal multivariate_normal dirichlet standard_gamma standard_t".split()
)
"""Functions of `numpy.random` and methods of its generators that give float64."""
SIZE_POSITIONS = {
    "uniform": 3,
    "normal": 3,
    "laplace": 3,
    "lognormal": 3,
    "beta": 3,
    "gamma": 3,
    "exponential": 2,
}
"""How many arguments ask such a function for an array, where it is not one."""
DOUBLE_MAKERS = frozenset("zeros ones empty linspace logspace eye identity loadtxt genfromtxt".split())
"""Functions of numpy that make float64 without a `dtype`."""
KEEPING_FUNCTIONS = frozenset(
    "sin cos tan exp log log1p sqrt tanh concatenate stack vstack hstack column_stack clip abs reshape "
    "transpose expand_dims squeeze flip roll pad repeat tile ascontiguousarray array asarray copy power "
    "square".split()
)
"""Functions of numpy that give float64 for float64."""
KEEPING_METHODS = frozenset("reshape transpose copy squeeze flatten ravel clip swapaxes repeat round".split())
"""Methods of arrays that keep the dtype."""
REDUCTIONS = frozenset("sum mean std var max min cumsum cumprod".split())
"""Methods that keep the dtype and, given an axis, give an array."""
GENERATORS = ("numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.Generator")
"""What makes a random generator."""
BYTE_IMAGE_READERS = frozenset(
    "cv2.imread PIL.Image.open imageio.imread skimage.io.imread matplotlib.pyplot.imread".split()
)
"""Readers that give images of bytes."""
SCALER_CLASSES = pattern(r"^sklearn\.preprocessing\..*Scaler$")
"""Classes whose `transform` gives float64."""
DOUBLE_TYPES = ("numpy.float64", "numpy.double", "numpy.float_")
"""The names of float64."""
