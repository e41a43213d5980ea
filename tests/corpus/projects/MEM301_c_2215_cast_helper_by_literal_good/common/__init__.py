from .amp import autocast
from .precision import cast_model
