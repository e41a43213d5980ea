# the rest of the batches goes into one name

from torch.utils.data import DataLoader


def sample(dataset):
    loader = DataLoader(dataset, batch_size=64, shuffle=True)
    first, *others = list(loader)  #! MEM404 error
    return first, others
