# The number of a constant: 20 batches for each worker, of whatever size.

from torch.utils.data import DataLoader

AHEAD = 20


def loader(train_set, batch_size):
    return DataLoader(  #! MEM409 advice
        train_set, batch_size=batch_size, num_workers=4, prefetch_factor=AHEAD, shuffle=True
    )
