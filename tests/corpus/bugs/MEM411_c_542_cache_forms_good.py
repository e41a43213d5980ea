import torch, cv2, numpy as np
from torch.utils.data import DataLoader, Dataset
class A(Dataset):
    def __init__(self, files, cache=True):
        self.files = files
        self.cache_images = cache
        self.imgs = [None] * len(files)
        self.feats = dict()
        self.mem = {}
        self.order = []
    def __len__(self): return len(self.files)
    def load(self, i):
        im = self.imgs[i]
        if im is None:
            im = cv2.imread(self.files[i])
            h, w = im.shape[:2]
            if self.cache_images:
                self.imgs[i] = im
            return im, (h, w)
        return im, im.shape[:2]
    def __getitem__(self, index):
        try:
            return self.mem[index]
        except KeyError:
            x = self.load(index)[0]
            x = torch.from_numpy(x).float() / 255
            self.mem[index] = (x, index)
        self.order.append(index)
        self.feats.update({index: x})
        return self.mem[index]
dl = DataLoader(A([]), batch_size=8, num_workers=0)
