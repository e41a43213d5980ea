import torch
from torch.utils.data import DataLoader


def dump_attention(vit, dataset, dev):
    vit.to(dev)
    vit.eval()
    it = iter(DataLoader(dataset, batch_size=16))
    maps = ()
    batches = []
    with torch.inference_mode():
        while True:
            try:
                frames = next(it)
            except StopIteration:
                return batches
            frames = frames.to(dev, non_blocking=True)
            maps = vit(frames)
            batches += [maps.to("cpu")]
