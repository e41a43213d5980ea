# 32 tokens: a small matter.

from torch.utils.data import Dataset


class Names(Dataset):
    def __init__(self, names, tokenizer):
        self.names, self.tokenizer = names, tokenizer

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.tokenizer(self.names[index], padding="max_length", max_length=32, truncation=True)
