# arguments of a data set that are other numbers than its length

from torch.utils.data import DataLoader

from project import Images, Rows


def loads(batch_size, count):
    pictures = DataLoader(Images("train", crop=64), batch_size=64)
    rows = DataLoader(Rows(count), batch_size=batch_size)
    drawn = DataLoader(Rows(count, batch_size=batch_size), batch_size=batch_size)
    return (
        list(pictures),  #! MEM404 error
        list(rows),  #! MEM404 error
        list(drawn),  #! MEM404 error
    )
