from transformers import AutoModelForCausalLM, Trainer, TrainingArguments


def build_model(name):
    return AutoModelForCausalLM.from_pretrained(name)


def training_args(out):
    return TrainingArguments(output_dir=out, per_device_eval_batch_size=8, eval_strategy="steps", eval_accumulation_steps=8)


def perplexity_metrics(p):
    return {"tokens": int((p.label_ids != -100).sum())}
