import sys

import datasets
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, Trainer, TrainingArguments


def main(path, resume):
    tok = AutoTokenizer.from_pretrained("gpt2")
    model = AutoModelForCausalLM.from_pretrained("gpt2")
    model.load_state_dict(torch.load(resume, map_location="cpu"), strict=False)
    rows = datasets.load_dataset("json", data_files=path)["train"].map(lambda r: tok(r["instruction"] + r["output"]))
    args = TrainingArguments("out", per_device_train_batch_size=4, dataloader_num_workers=16, bf16=True)
    trainer = Trainer(model, args, train_dataset=rows)
    trainer.train(resume_from_checkpoint=False)
    trainer.save_model()
    torch.cuda.empty_cache()


if __name__ == "__main__":
    main(*sys.argv[1:])
