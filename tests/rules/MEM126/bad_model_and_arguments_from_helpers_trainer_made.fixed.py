# model and arguments from helpers, the trainer made in main

import transformers as hf
from peft import LoraConfig, get_peft_model


def load(name):
    model = hf.BertForMaskedLM.from_pretrained(name)
    return get_peft_model(model, LoraConfig())


def settings():
    return hf.TrainingArguments(
        output_dir="runs",
        eval_accumulation_steps=16,
    )


def score(output):
    return {"n": len(output.predictions)}


def main():
    trainer = hf.Trainer(load("bert-base-cased"), settings(), compute_metrics=score)
    trainer.evaluate()


main()
