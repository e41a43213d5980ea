from .byol import BYOL
