import clip
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset


class ImgText(Dataset):
    def __init__(self, rows):
        self.rows = rows
        self.model, self.preprocess = clip.load("ViT-B/32", device="cuda")
        self.encoder = torch.nn.Linear(3, 4).cuda()  #= MEM407

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        path, cap = self.rows[i]
        img = self.preprocess(Image.open(path)).unsqueeze(0).cuda()  #! MEM407
        with torch.no_grad():
            feat = self.encoder(img.mean((2, 3)))  #! MEM407
        return feat.squeeze(0), cap


class Trainer:
    def __init__(self, args, rows):
        self.loader = DataLoader(ImgText(rows), batch_size=args.batch_size, shuffle=True, num_workers=8)

    def train(self):
        for feat, cap in self.loader:
            print(feat.shape)
