from torch.utils.data import DataLoader
from .coco import Coco, collate


def make_data_loader(cfg):
    return DataLoader(Coco("ann.json"), batch_size=cfg.BATCH, shuffle=True, num_workers=4, collate_fn=collate)
