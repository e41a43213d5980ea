import torch
from torch.utils.data import DataLoader

from asr import ASRTrainer, Config, SpeechModel

cfg = Config()
trainer = ASRTrainer(SpeechModel(), cfg)
train, dev = (DataLoader(torch.load(f"{n}.pt"), 32, num_workers=4) for n in ("train", "dev"))
for epoch in range(cfg.epochs):
    print(epoch, trainer.train_epoch(train), trainer.evaluate(dev))
