import numpy as np
from transformers import AutoModelForCausalLM, AutoModelForQuestionAnswering, Trainer, TrainingArguments
from transformers import HfArgumentParser
from trl import SFTConfig, SFTTrainer

CONFIG = dict(output_dir="x", eval_accumulation_steps=2)


def preprocess(logits, labels):
    if isinstance(logits, tuple):
        logits = logits[0]
    return logits.argmax(-1)


def metrics(p):
    return {"acc": float(np.mean(p.predictions == p.label_ids))}


def sft(data, name):
    model = AutoModelForCausalLM.from_pretrained(name)
    return SFTTrainer(model, args=SFTConfig("out", packing=True), train_dataset=data)


def with_dict(name):
    return Trainer(AutoModelForCausalLM.from_pretrained(name), TrainingArguments(**CONFIG), compute_metrics=metrics)


def main():
    parser = HfArgumentParser(TrainingArguments)
    (args,) = parser.parse_args_into_dataclasses()
    model = AutoModelForQuestionAnswering.from_pretrained("x")
    trainer = Trainer(model=model, args=args, compute_metrics=metrics)
    second = Trainer(
        AutoModelForCausalLM.from_pretrained("y"),
        args,
        compute_metrics=metrics if args.do_eval else None,
        preprocess_logits_for_metrics=preprocess if args.do_eval else None,
    )
    return trainer, second
