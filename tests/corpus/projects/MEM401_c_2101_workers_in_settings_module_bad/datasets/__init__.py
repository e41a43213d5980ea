from .tiles import TileSet
