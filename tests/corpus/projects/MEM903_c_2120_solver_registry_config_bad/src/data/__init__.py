from .loaders import build_loaders
