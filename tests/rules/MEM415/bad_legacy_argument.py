# The name of the argument in older versions, and two texts in one function.

from torch.utils.data import Dataset


class Pairs(Dataset):
    def __init__(self, rows, tokenizer):
        self.rows, self.tokenizer = rows, tokenizer

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        source, target = self.rows[index]
        x = self.tokenizer.encode_plus(source, max_length=512, pad_to_max_length=True)  #! MEM415 advice
        y = self.tokenizer.encode_plus(target, max_length=150, pad_to_max_length=True)  #! MEM415 advice
        return x["input_ids"], y["input_ids"]
