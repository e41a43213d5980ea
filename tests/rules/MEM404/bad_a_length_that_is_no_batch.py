# arguments of a data set that are other numbers than its length

from torch.utils.data import DataLoader

from project import Images, Rows


def loads(batch_size, count):
    pictures = list(DataLoader(Images("train", crop=64), batch_size=64))  #! MEM404 error
    rows = list(DataLoader(Rows(count), batch_size=batch_size))  #! MEM404 error
    drawn = list(DataLoader(Rows(count, batch_size=batch_size), batch_size=batch_size))  #! MEM404 error
    return pictures, rows, drawn
