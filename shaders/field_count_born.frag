#version 330 core
// field_count_born.frag: nothing to be done: the depth test alone lets the slots of births by fill through, so
// that a query of samples passed counts them.
// in: nothing   out: nothing

void main()
{
}
