import evaluate
import torch
from datasets import load_dataset
from transformers import DataCollatorForLanguageModeling, GPT2LMHeadModel, GPT2TokenizerFast
from transformers import Trainer as HFTrainer
from transformers import TrainingArguments

metric = evaluate.load("accuracy")


def compute_metrics(eval_preds):
    logits, labels = eval_preds
    preds = torch.tensor(logits).argmax(-1)
    return metric.compute(predictions=preds[:, :-1].reshape(-1), references=labels[:, 1:].reshape(-1))


class LMRunner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.tokenizer = GPT2TokenizerFast.from_pretrained(cfg["name"])
        self.model = GPT2LMHeadModel.from_pretrained(cfg["name"])
        self.model.resize_token_embeddings(len(self.tokenizer))

    def training_args(self):
        return TrainingArguments(
            output_dir=self.cfg["out"],
            per_device_train_batch_size=4,
            per_device_eval_batch_size=4,
            gradient_accumulation_steps=8,
            fp16=True,
        )

    def run(self):
        data = load_dataset("wikitext", "wikitext-2-raw-v1")
        args = TrainingArguments(self.cfg["out"], per_device_eval_batch_size=4, fp16=True, eval_accumulation_steps=8)
        trainer = HFTrainer(
            model=self.model,
            args=args,
            train_dataset=data["train"],
            eval_dataset=data["validation"],
            data_collator=DataCollatorForLanguageModeling(self.tokenizer, mlm=False),
            compute_metrics=compute_metrics,
        )
        trainer.train()
        return trainer.evaluate()
