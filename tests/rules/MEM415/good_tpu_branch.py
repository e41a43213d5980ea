# TPUs compile a program for each shape.

from torch.utils.data import DataLoader


def loaders(accelerator, rows, tokenizer):
    def collate_fn(examples):
        if accelerator.distributed_type == "TPU":
            return tokenizer.pad(examples, padding="max_length", max_length=128, return_tensors="pt")
        return tokenizer.pad(examples, padding="longest", return_tensors="pt")

    return DataLoader(rows, collate_fn=collate_fn, batch_size=16)
