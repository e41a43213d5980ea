import lightning as L
import torch
from data import ImagesDM
from models import Net


def main():
    L.seed_everything(1)
    trainer = L.Trainer(max_epochs=3, precision="16-mixed", devices=2, strategy="ddp")
    trainer.fit(Net(), ImagesDM("imgs"))


if __name__ == "__main__":
    main()
