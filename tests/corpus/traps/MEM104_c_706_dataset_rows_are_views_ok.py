import torch
from torch.utils.data import Dataset


class Windows(Dataset):
    """Cuts windows out of one long series that stays in memory anyway."""

    def __init__(self, series, length, stride):
        self.series = torch.as_tensor(series, dtype=torch.float32)
        self.cuts = []
        for start in range(0, len(self.series) - length, stride):
            self.cuts.append(self.series[start:start + length])

    def __len__(self):
        return len(self.cuts)

    def __getitem__(self, index):
        window = self.cuts[index]
        return window[:-1], window[1:]
