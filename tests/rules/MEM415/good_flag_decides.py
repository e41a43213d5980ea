# Whoever starts the script decides.

from torch.utils.data import Dataset


class Rows(Dataset):
    def __init__(self, texts, tokenizer, options):
        self.texts, self.tokenizer = texts, tokenizer
        self.padding = "max_length" if options.pad_to_max_length else False

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, index):
        return self.tokenizer(self.texts[index], padding=self.padding, max_length=512, truncation=True)
