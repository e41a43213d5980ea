from torch.utils.data import DataLoader
from .sets import Captions


def build_loader(path, workers):
    return DataLoader(Captions(path), batch_size=64, num_workers=workers)  #? MEM402
