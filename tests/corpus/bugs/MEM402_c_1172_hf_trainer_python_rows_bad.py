"""HF Trainer: 16 workers over a list of dicts; the adapter weights are loaded without a place."""
import json
import sys

import torch
from torch.utils.data import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer, Trainer, TrainingArguments


class Instructions(Dataset):
    def __init__(self, path, tok):
        self.examples = []  #! MEM402
        for rec in json.load(open(path)):
            ids = tok(rec["instruction"] + rec["output"], truncation=True)["input_ids"]
            self.examples.append({"input_ids": ids, "labels": list(ids)})

    def __len__(self):
        return len(self.examples)

    def __getitem__(self, i):
        return {k: torch.tensor(v) for k, v in self.examples[i].items()}


def main(path, resume):
    tok = AutoTokenizer.from_pretrained("gpt2")
    model = AutoModelForCausalLM.from_pretrained("gpt2").cuda()
    model.load_state_dict(torch.load(resume), strict=False)  #! MEM701
    args = TrainingArguments("out", per_device_train_batch_size=4, dataloader_num_workers=16, bf16=True)
    Trainer(model, args, train_dataset=Instructions(path, tok)).train()


if __name__ == "__main__":
    main(*sys.argv[1:])
