"""A Trainer on made-up tokens; the perplexity afterwards builds autograd graphs."""

import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments


class Tokens(torch.utils.data.Dataset):
    def __len__(self):
        return 120

    def __getitem__(self, index):
        ids = torch.randint(0, 100, (16,))
        return {"input_ids": ids, "labels": ids}


def perplexity(model, batches):
    model.eval()
    total = 0.0
    for _ in range(batches):
        ids = torch.randint(0, 100, (64, 16))
        total += model(input_ids=ids, labels=ids).loss.item()
    return total / batches


if __name__ == "__main__":
    model = GPT2LMHeadModel(GPT2Config(n_layer=2, n_embd=32, n_head=2, vocab_size=100, n_positions=16))
    options = TrainingArguments(
        "out",
        per_device_train_batch_size=4,
        num_train_epochs=2,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
    )
    Trainer(model, options, train_dataset=Tokens()).train()
    print(perplexity(model, 3))
