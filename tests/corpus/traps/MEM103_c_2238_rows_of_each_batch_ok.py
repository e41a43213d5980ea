# a list for each batch: what the rows of one batch become is joined at once
import numpy as np
import torch
from torch.utils.data import DataLoader


def extract(model, dataset, to_mel, folder):
    loader = DataLoader(dataset, batch_size=32)
    with torch.no_grad():
        for number, batch in enumerate(loader):
            spectrograms = model(batch["text"].cuda(), batch["mel"].cuda()).cpu().numpy()
            mels = []
            for row in range(spectrograms.shape[0]):
                mels.append(torch.FloatTensor(to_mel(spectrograms[row].T).T).cuda())
            joined = torch.stack(mels)
            for index, length in enumerate(batch["lengths"]):
                np.save(f"{folder}/{number}_{index}.npy", joined[index, :length].cpu().numpy())
