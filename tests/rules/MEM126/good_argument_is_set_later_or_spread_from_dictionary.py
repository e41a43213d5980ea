# the argument is set later, or spread from a dictionary

from transformers import AutoModelForCausalLM, Trainer, TrainingArguments


def build(model, options, metrics):
    args = TrainingArguments("out")
    args.eval_accumulation_steps = 8
    first = Trainer(model=model, args=args, compute_metrics=metrics)
    second = Trainer(model=model, args=TrainingArguments(**options), compute_metrics=metrics)
    return first, second


build(AutoModelForCausalLM.from_pretrained("gpt2"), {"output_dir": "out"}, None)
