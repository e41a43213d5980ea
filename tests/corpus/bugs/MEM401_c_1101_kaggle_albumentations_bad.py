"""Kaggle baseline: training takes 50 min per epoch, GPU utilisation 8 %."""
import cv2
import albumentations as A
import pandas as pd
import torch
from albumentations.pytorch import ToTensorV2
from sklearn.model_selection import StratifiedKFold
from torch.utils.data import DataLoader, Dataset


class CFG:
    size = 384
    bs = 16
    folds = 5
    epochs = 8
    device = "cuda" if torch.cuda.is_available() else "cpu"


def get_tfms():
    return A.Compose([A.Resize(CFG.size, CFG.size), A.HorizontalFlip(p=0.5), A.Normalize(), ToTensorV2()])


class CassavaDS(Dataset):
    def __init__(self, df, root, tfm):
        self.df, self.root, self.tfm = df.reset_index(drop=True), root, tfm

    def __len__(self):
        return len(self.df)

    def __getitem__(self, i):
        row = self.df.iloc[i]
        img = cv2.cvtColor(cv2.imread(f"{self.root}/{row.image_id}"), cv2.COLOR_BGR2RGB)
        return self.tfm(image=img)["image"], row.label


def train_fold(model, trn, criterion):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    loader = DataLoader(CassavaDS(trn, "train_images", get_tfms()), batch_size=CFG.bs, shuffle=True)  #! MEM401
    for epoch in range(CFG.epochs):
        for x, y in loader:
            x, y = x.to(CFG.device), y.to(CFG.device)
            loss = criterion(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()


if __name__ == "__main__":
    import timm

    df = pd.read_csv("train.csv")
    for f, (tr, va) in enumerate(StratifiedKFold(CFG.folds).split(df, df.label)):
        net = timm.create_model("tf_efficientnet_b3_ns", pretrained=True, num_classes=5).to(CFG.device)
        train_fold(net, df.iloc[tr], torch.nn.CrossEntropyLoss())
