from .base import LitBase
