# a manifest of sounds has an entry for each of them

import json

from torch.utils.data import DataLoader, Dataset


class Speech(Dataset):
    def __init__(self, path):
        self.manifest = [json.loads(line) for line in open(path)]  #! MEM402 warning

    def __len__(self):
        return len(self.manifest)

    def __getitem__(self, index):
        return self.manifest[index]["text"]


loader = DataLoader(Speech("manifest.json"), batch_size=4, num_workers=8, persistent_workers=True)
