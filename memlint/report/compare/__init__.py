"""What two sessions differ in, as text, as Markdown for a comment on a merge request, and as JSON."""
